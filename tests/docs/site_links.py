#!/usr/bin/env python3
"""Every link, picture and anchor of the site leads somewhere, and nothing is fetched from a network: site_links.py FOLDER"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif "src" in attributes or tag == "link":
            self.fetched.append(attributes.get("src") or attributes["href"])


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    problems, count = [], 0
    for path, page in pages.items():
        where = path.relative_to(folder)
        for link in page.links + page.fetched:
            count += 1
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                if link in page.fetched and parts.scheme != "data":
                    problems.append(f"{where}: fetches {link}")
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                problems.append(f"{where}: {link} does not exist")
            elif parts.fragment and target in pages and parts.fragment not in pages[target].ids:
                problems.append(f"{where}: {link}: no such place")
    print("\n".join(problems) or f"{len(pages)} pages, {count} links: fine")
    return 1 if problems or len(pages) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
