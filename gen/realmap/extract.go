// SPDX-License-Identifier: GPL-2.0-only

package realmap

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// extract writes the one file of a package that matches pattern into dir,
// uncompressed, and returns its path. It stops reading there: most of a package
// lies behind.
func extract(ctx context.Context, deb, pattern, dir string) (string, error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(reading, "dpkg-deb", "--fsys-tarfile", deb)
	stream, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("starting dpkg-deb: %w", err)
	}
	file, err := extractFrom(ctx, stream, pattern, dir)
	stop()
	cmd.Wait() // it was stopped on purpose; what was read has been judged
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w; fetch again", ErrFetch, filepath.Base(deb), err)
	}
	return file, nil
}

// extractFrom writes the first regular file of a tar stream that matches.
func extractFrom(ctx context.Context, stream io.Reader, pattern, dir string) (string, error) {
	archive := tar.NewReader(stream)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return "", fmt.Errorf("holds no %s", pattern)
		}
		if err != nil {
			return "", err
		}
		name := path.Clean(header.Name)
		match, err := path.Match(pattern, name)
		if err != nil {
			return "", err
		}
		if !match || header.Typeflag != tar.TypeReg {
			continue
		}
		var content io.Reader = archive
		if strings.HasSuffix(name, ".xz") {
			return writeFile(dir, func(w io.Writer) error {
				cmd := exec.CommandContext(ctx, "xz", "--decompress", "--stdout")
				cmd.Stdin, cmd.Stdout = content, w
				return cmd.Run()
			})
		}
		return writeFile(dir, func(w io.Writer) error {
			_, err := io.Copy(w, content)
			return err
		})
	}
}

// writeFile makes a file whose content is safely on disk.
func writeFile(dir string, fill func(io.Writer) error) (string, error) {
	file, err := os.Create(filepath.Join(dir, "content"))
	if err != nil {
		return "", err
	}
	err = errors.Join(fill(file), file.Sync(), file.Close())
	return file.Name(), err
}
