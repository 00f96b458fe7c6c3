// Package browser shows pages in headless Chromium, for the tests of the page (make
// browser) and for the pictures of it in docs (make screenshots).
package browser
