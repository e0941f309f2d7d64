"""The table of results."""


def line(situation, measured):
    verdict = "ok  " if measured.passed else "FAIL"
    sign = "≥" if measured.least else "≤"
    return (f"{verdict}  {situation:32} {measured.what:26} {measured.value:9.4g} {sign} {measured.limit:7.4g} {measured.unit:3}"
            f"{min(measured.margin, 9.99) * 100:7.0f} %")


def show(title, rows):
    """Prints each row as soon as it is measured. Returns the rows that failed."""
    print(f"\n{title}\n      {'situation':32} {'measured':26} {'value':>9}   {'limit':>7} {'':3}{'margin':>9}", flush=True)
    failed = []
    for situation, measured in rows:
        print(line(situation, measured), flush=True)
        if not measured.passed:
            failed.append(situation)
    return failed
