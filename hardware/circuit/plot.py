"""Draws curves with gnuplot as SVG."""
import os
import subprocess
import tempfile

#: The number of stretches into which a curve is divided. More would only enlarge the file.
COLUMNS = 250
COLOURS = {"pin": "#c00000", "off": "#0060c0", "wire": "#b0b0b0", "limit": "#606060", "supply": "#c00000", "bank": "#0060c0",
           "main": "#b0b0b0", "backup": "#008040"}


def thinned(times, values):
    """Returns the minimum and maximum of each of `COLUMNS` stretches, so that no peak is lost."""
    if not times:
        return []
    width = (times[-1] - times[0]) / COLUMNS or 1
    points, stretch, index = [], [], 0
    for point in zip(times, values):
        column = int((point[0] - times[0]) / width)
        if column != index and stretch:
            points += _extremes(stretch)
            stretch, index = [], column
        stretch.append(point)
    return [*points, *_extremes(stretch), (times[-1], values[-1])]


def _extremes(stretch):
    ends = {stretch[0], min(stretch, key=lambda point: point[1]), max(stretch, key=lambda point: point[1]), stretch[-1]}
    # A level stretch needs only its first point.
    if max(point[1] for point in ends) - min(point[1] for point in ends) < 1e-3:
        return [stretch[0]] if len(stretch) > 1 else stretch
    return sorted(ends)


class Panel:
    """One diagram, with curves over time and gnuplot's settings for it."""

    def __init__(self, title, settings=()):
        self.title, self.settings, self.curves = title, list(settings), []

    def curve(self, title, times, values, colour, options=""):
        self.curves.append((title, thinned(times, values), f'lc rgb "{COLOURS[colour]}" {options}'))

    def level(self, title, value):
        """Adds a horizontal line."""
        self.settings.append(f'set arrow from graph 0, first {value} to graph 1, first {value} nohead lc rgb "{COLOURS["limit"]}" dt 3')
        self.settings.append(f'set label "{title}" at graph 0.99, first {value} right offset 0,0.5 textcolor rgb "{COLOURS["limit"]}" font ",9"')

    def moment(self, title, time, height):
        """Adds a vertical line, whose label is at this share of the panel's height."""
        self.settings.append(f'set arrow from {time}, graph 0 to {time}, graph 1 nohead lc rgb "{COLOURS["limit"]}" dt 3')
        self.settings.append(f'set label "{title}" at {time}, graph {height} left offset 0.4,0 textcolor rgb "{COLOURS["limit"]}" font ",9"')

    def script(self, folder, number):
        lines = [f'set title "{self.title}"', *self.settings]
        drawn = []
        for index, (title, points, options) in enumerate(self.curves):
            path = os.path.join(folder, f"{number}-{index}")
            with open(path, "w", encoding="ascii") as file:
                file.writelines(f"{time:.6g} {value:.4g}\n" for time, value in points)
            drawn.append(f'"{path}" with lines {options} title "{title}"')
        return lines + ["plot " + ", ".join(drawn), "unset label", "unset arrow", "unset y2tics", "unset y2label", "set ytics mirror"]


def draw(path, panels, columns, size, title):
    """Writes the panels, row by row, to an SVG file."""
    with tempfile.TemporaryDirectory(prefix="tacet-plot-") as folder:
        lines = [f'set terminal svg size {size[0]},{size[1]} font "sans-serif,11" background "white"', f'set output "{path}"',
                 f'set multiplot layout {-(-len(panels) // columns)},{columns} title "{title}" font ",14"',
                 "set grid lc rgb \"#e0e0e0\" lt 1", "set key font \",9\""]
        for number, panel in enumerate(panels):
            lines += panel.script(folder, number)
        subprocess.run(["gnuplot"], input="\n".join([*lines, "unset multiplot", ""]), text=True, check=True)
