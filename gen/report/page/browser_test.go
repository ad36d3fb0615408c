// SPDX-License-Identifier: GPL-2.0-only

package page

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"kgen/gen/report/reporttest"
)

// browser is a headless Chromium that ends with the test. It notes all that it
// complains of and all that it asks for.
func browser(t *testing.T) (context.Context, *complaints) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("no chromium to look at the page with: %v; apt-get install chromium", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which root cannot have
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	c := &complaints{}
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithListener(c.note))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // starts it
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return ctx, c
}

type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) note(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, "file:///") && !strings.HasPrefix(url, "data:,") {
			c.list = append(c.list, "asks for "+url)
		}
	case *log.EventEntryAdded:
		c.list = append(c.list, "logs "+e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		c.list = append(c.list, "writes to the console")
	case *runtime.EventExceptionThrown:
		c.list = append(c.list, "throws "+e.ExceptionDetails.Text)
	}
}

// measured is what a browser made of a page, in pixels and elements.
type measured struct{ Page, Window, Tables, Out float64 }

// TestBrowser opens the page on a phone, on a desk and on paper.
func TestBrowser(t *testing.T) {
	html, err := HTML(reporttest.Recorded(t)...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, complaints := browser(t)
	url := write(t, html)
	for _, width := range []int64{390, 1280} {
		viewport := chromedp.EmulateViewport(width, 844)
		if width < 600 {
			viewport = chromedp.EmulateViewport(width, 844, chromedp.EmulateMobile, chromedp.EmulateTouch)
		}
		if err := chromedp.Do(ctx, viewport, chromedp.Navigate(url)); err != nil {
			t.Fatal(err)
		}
		got, err := chromedp.Run(ctx, chromedp.Evaluate[measured](`({
			Page: document.documentElement.scrollWidth, Window: innerWidth,
			Tables: document.querySelectorAll("table").length,
			Out: [...document.querySelectorAll("h1, h2, h3, p, li, dt, dd, .scroll, figure")].filter(e => {
				const r = e.getBoundingClientRect();
				return r.left < 0 || r.right > innerWidth;
			}).length,
		})`))
		if err != nil {
			t.Fatal(err)
		}
		if got.Page > float64(width) || got.Window != float64(width) || got.Out > 0 {
			t.Errorf("at %d pixels the page is %v wide, in a window of %v, and %v elements stick out", width, got.Page, got.Window, got.Out)
		}
		if got.Tables < 3 {
			t.Errorf("at %d pixels there are %v tables", width, got.Tables)
		}
	}
	for _, c := range complaints.list {
		t.Errorf("the page %s", c)
	}

	// On paper no table may be wider than the page, and each title stands over
	// its columns though some are left out.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1030, 700), onPaper); err != nil { // A4 landscape
		t.Fatal(err)
	}
	paper, err := chromedp.Run(ctx, chromedp.Evaluate[measured](`({
		Page: document.documentElement.scrollWidth, Window: innerWidth,
		Tables: document.querySelectorAll("table").length,
		Out: [...document.querySelectorAll("thead th.first[colspan]")].filter(e => {
			const x = e.getBoundingClientRect().left;
			return ![...e.closest("thead").rows[1].querySelectorAll(".first")].some(h => Math.abs(h.getBoundingClientRect().left - x) < 2);
		}).length,
	})`))
	if err != nil {
		t.Fatal(err)
	}
	if paper.Page > paper.Window || paper.Out > 0 {
		t.Errorf("on paper the page is %v wide of %v, and %v titles stand over no column of theirs", paper.Page, paper.Window, paper.Out)
	}
	pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || bytes.Count(pdf, []byte("/Type /Page\n"))+bytes.Count(pdf, []byte("/Type /Page/")) == 0 {
		t.Errorf("printing gave %d bytes that are no PDF with pages", len(pdf))
	}
}

// onPaper has the page look as it is printed.
var onPaper = chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	return err
})

// TestBrowserNotices is the check of the check: a page that asks for something,
// complains and is too wide.
func TestBrowserNotices(t *testing.T) {
	ctx, complaints := browser(t)
	url := write(t, []byte(`<!DOCTYPE html><p style="width: 3000px">wide</p><img src="http://192.0.2.1/x.png"><script>console.log("x"); throw 1</script>`))
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	width, err := chromedp.Run(ctx, chromedp.Evaluate[float64](`document.documentElement.scrollWidth`))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(complaints.list, "; ")
	if width < 3000 || !strings.Contains(all, "asks for http://192.0.2.1") || !strings.Contains(all, "console") || !strings.Contains(all, "throws") {
		t.Errorf("width %v, noticed: %s", width, all)
	}
}

// write writes a page to a file and returns its address.
func write(t *testing.T, html []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, html, 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}
