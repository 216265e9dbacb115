# SPDX-License-Identifier: Apache-2.0
"""The matrix as JSON and as a page; matrix.py judges what is in it. A cell of which nothing was
judged is grey, and says why; of each finding there are links to what is told of it, and to the
program that shows it without adicheck."""

import html
import json
import os
import pathlib
import re
import string

TOP = pathlib.Path(__file__).resolve().parents[3]
FORMAT = 1

PAGE = string.Template("""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>Libraries of Python, by protocol and device</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 1200px; padding: 0 1em }
.wide { overflow-x: auto; margin: 0.5em 0 2em } table { border-collapse: collapse }
th, td { border: 1px solid #ccc; padding: 2px 6px; text-align: center; font-weight: normal }
th.library { text-align: left; white-space: nowrap }
td a { color: inherit }
.pass { background: #d8f0d8 } .warn { background: #ffe9b8 } .fail { background: #f8cccc }
.unknown { background: #d02020; color: #fff } .none { background: #e4e4e4; color: #666 }
.key span { padding: 1px 8px; margin-right: 0.7em }
pre { background: #f4f4f4; padding: 0.5em; overflow: auto } small { color: #666 }
</style></head><body>
<h1>Libraries of Python, by protocol and device</h1>
<p>Each library as it comes from PyPI, judged by <code>make peers</code> as producer (P) and as
consumer (C) of the protocols that it has. The number is that of cases in which nothing is
wrong.</p>
<p class="key"><span class="pass">holds</span><span class="warn">breaks a recommendation</span><span
class="fail">breaks a rule, and is known to</span><span class="unknown">not known</span><span
class="none">not judged</span></p>
$tables
<h2>Cell by cell</h2>
$details
</body></html>
""")


def place_of(record, cell):
    return f"{record['name']}-{cell['device']}-{cell['role']}-{cell['protocol']}"


def class_of(cell):
    if cell["verdict"] is None:
        return "none"
    bad = [finding for finding in cell["findings"] if "known" in finding and
           finding["verdict"] in ("crash", "timeout", "fail", "warn")]
    if any(not finding["known"] for finding in bad):
        return "unknown"
    return "pass" if not bad else "warn" if cell["verdict"] == "warn" else "fail"


def text_of(cell):
    if cell["verdict"] is None:
        return "not judged"
    held = cell["counts"].get("pass", 0)
    return str(held) if cell["verdict"] == "pass" else f"{cell['verdict']} ({held})"


def box(record, device, protocol, role):
    """One cell of a table."""
    for cell in record["cells"]:
        if (cell["device"], cell["protocol"], cell["role"]) == (device, protocol, role):
            why = html.escape(cell.get("why") or "", quote=True)
            return (f'<td class="{class_of(cell)}" title="{why}">'
                    f'<a href="#{place_of(record, cell)}">{text_of(cell)}</a></td>')
    if record["why"]:
        why = html.escape(f"unavailable: {record['why']}", quote=True)
        return f'<td class="none" title="{why}">unavailable</td>'
    return '<td class="none" title="it does not have it here">–</td>'


def table(records, device, protocols, roles):
    names = [protocol for protocol in protocols if any(
        (cell["device"], cell["protocol"]) == (device, protocol)
        for record in records for cell in record["cells"])]
    rows = [record for record in records if record["why"] or
            any(cell["device"] == device for cell in record["cells"])]
    if not names:
        return ""
    head = "".join(f'<th colspan="2"><code>{name}</code></th>' for name in names)
    parties = "".join("<th>P</th><th>C</th>" for _ in names)
    body = "".join(
        f'<tr><th class="library">{html.escape(record["name"])} '
        f'<small>{html.escape(record["version"] or "")}</small></th>'
        + "".join(box(record, device, name, role) for name in names for role in roles) + "</tr>\n"
        for record in rows)
    return (f'<h2>On {device}</h2>\n<div class="wide"><table><tr><th rowspan="2"></th>{head}</tr>'
            f"<tr>{parties}</tr>\n{body}</table></div>\n")


def links_of(link, base):
    """A row's link: what is told, and the programs, as addresses that the page can follow."""
    parts = [part.strip() for part in link.split(";")]
    addresses = [f"tests/peers/python/{part}" if part.startswith("repro/") else part
                 for part in parts if re.match(r"(docs|repro|tests)/", part)]
    return " · ".join(f'<a href="{html.escape(os.path.join(base, address))}">'
                      f"{html.escape(address.split('/')[-1])}</a>" for address in addresses)


def finding_of(finding, base):
    told = f"<b>{finding['verdict']}</b> <code>{html.escape(finding['rule'])}</code> " \
           f"({finding['party']}, {len(finding['cases'])} cases): {html.escape(finding['message'])}"
    if finding.get("known"):
        told += f"<br>Known: {html.escape(finding['reason'])}. {links_of(finding['link'], base)}"
    elif finding["verdict"] != "note":
        told += f"<pre>{html.escape(finding['text'])}</pre>"
    return f"<li>{told}</li>"


def details_of(record, base):
    parts = [f"<h3>{html.escape(record['name'])} {html.escape(record['version'] or '')}</h3>"]
    if record["why"]:
        parts.append(f"<p>Unavailable: {html.escape(record['why'])}</p>")
    for cell in record["cells"]:
        counts = ", ".join(f"{count} {verdict}"
                           for verdict, count in sorted(cell["counts"].items()))
        how = " (values alone)" if cell.get("how") == "values" else ""
        parts.append(f'<p id="{place_of(record, cell)}"><code>{cell["protocol"]}</code> on '
                     f'{cell["device"]}, {cell["role"]}{how}: {counts or "nothing was judged"}</p>')
        rows = [finding_of(finding, base) for finding in cell["findings"]]
        rows += [f"<li>refused, {count} times: {html.escape(words)}</li>"
                 for words, count in list(cell["refusals"].items())[:5]]
        if rows:
            parts.append(f"<ul>{''.join(rows)}</ul>")
    return "\n".join(parts)


def write(target, records, devices, protocols, roles):
    """TARGET.json, TARGET.html."""
    target = pathlib.Path(target)
    base = os.path.relpath(TOP, target.resolve().parent)
    target.with_suffix(".json").write_text(
        json.dumps({"format": FORMAT, "devices": devices, "protocols": protocols,
                    "libraries": records}, indent=1) + "\n", encoding="utf-8")
    target.with_suffix(".html").write_text(PAGE.substitute(
        tables="".join(table(records, device, protocols, roles) for device in devices),
        details="\n".join(details_of(record, base) for record in records)), encoding="utf-8")
