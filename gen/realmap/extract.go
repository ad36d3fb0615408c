// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kgen/gen/debian"
)

// extract writes the one file of a package that matches each pattern into dir,
// uncompressed, and returns their paths in the order of the patterns. It stops
// reading after the last: most of a package may lie behind.
func extract(ctx context.Context, deb string, patterns []string, dir string) ([]string, error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var stderr bytes.Buffer
	cmd := debian.Command(reading, &stderr, "dpkg-deb", "--fsys-tarfile", deb)
	stream, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting dpkg-deb: %w", err)
	}
	files, err := extractFrom(ctx, stream, patterns, dir)
	stop()
	cmd.Wait() // it was stopped on purpose; what was read has been judged
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w; %s", debian.ErrCorrupt, filepath.Base(deb), err, debian.Remedies[debian.ErrCorrupt])
	}
	return files, nil
}

// extractFrom writes the first regular file of a tar stream that matches each
// pattern.
func extractFrom(ctx context.Context, stream io.Reader, patterns []string, dir string) ([]string, error) {
	files := make([]string, len(patterns))
	archive := tar.NewReader(stream)
	for missing := len(patterns); missing > 0; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("holds no %s", absent(patterns, files))
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		packed := path.Clean(header.Name)
		name, isXZ := strings.CutSuffix(packed, ".xz")
		for i, pattern := range patterns {
			if match, err := path.Match(pattern, name); err != nil {
				return nil, err
			} else if !match || files[i] != "" {
				continue
			}
			to := filepath.Join(dir, path.Base(name))
			if err := writeFile(ctx, to, archive, isXZ); err != nil {
				return nil, fmt.Errorf("%s: %w", packed, err)
			}
			files[i] = to
			missing--
			break
		}
	}
	return files, nil
}

// absent lists the patterns that no file was found for.
func absent(patterns, files []string) string {
	var all []string
	for i, pattern := range patterns {
		if files[i] == "" {
			all = append(all, pattern)
		}
	}
	return strings.Join(all, ", ")
}

// writeFile makes a file whose content is safely on disk.
func writeFile(ctx context.Context, to string, content io.Reader, isXZ bool) error {
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	if isXZ {
		var stderr bytes.Buffer
		cmd := debian.Command(ctx, &stderr, "xz", "--decompress", "--stdout")
		cmd.Stdin, cmd.Stdout = content, file
		if err = cmd.Run(); err != nil {
			err = fmt.Errorf("%w: %s", err, debian.Reason(stderr.String(), "", err))
		}
	} else {
		_, err = io.Copy(file, content)
	}
	return errors.Join(err, file.Sync(), file.Close())
}
