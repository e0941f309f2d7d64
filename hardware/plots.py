"""Pictures of the checks' simulations, drawn from the same simulations."""
import bisect
import os

import bench
import front_end_checks as front_end
import hold_up_checks as hold_up
import input_checks
import pulses
import supply
from circuit import plot

#: The seconds of each surge that are worth showing.
SHOWN = {"pulse 1": 2.5e-3, "pulse 2a": 0.4e-3, "pulse 2b": 2.2, "pulse 3a": 0.5e-3, "pulse 3b": 12e-3, "load dump A": 1,
         "load dump B": 1, "7637-3 slow +": 0.5e-3, "7637-3 slow −": 0.5e-3, "jump start": 10e-3,
         "reversed battery": 10e-3}


def draw(folder):
    """Draws all pictures. Returns their names."""
    os.makedirs(folder, exist_ok=True)
    pictures = {"input-pulses.svg": input_pulses, "hold-up-failure.svg": hold_up_failure, "front-end.svg": front_end_surges}
    for name, picture in pictures.items():
        picture(os.path.join(folder, name))
    return list(pictures)


def input_pulses(path):
    """Draws the pin during each surge, with a column for each vehicle."""
    # The surges of both vehicles have the same names and order.
    rows = zip(*(pulses.surges(vehicle) for vehicle in pulses.VEHICLES))
    panels = [input_pulse(vehicle, surge) for row in rows for vehicle, surge in zip(pulses.VEHICLES, row)]
    title = "Pin of the input stage, all parts at the strong end of their tolerances, 85 °C (simulated)"
    plot.draw(path, panels, len(pulses.VEHICLES), (1000, 1800), title)


def input_pulse(vehicle, surge):
    spread, temperature = bench.worst_boards()[-1]
    shown = SHOWN[surge.name]
    unit, scale = ("ms", 1e3) if shown < 0.1 else ("s", 1)
    panel = plot.Panel(f"{vehicle.name} vehicle, {surge.name}", [
        f"set xrange [0:{shown * scale}]", f'set xlabel "{unit}" offset 0,0.8', "set yrange [-0.4:4]", "set ytics 0,1,3 nomirror",
        'set ylabel "pin, V" offset 1.5,0', "set y2tics autofreq", 'set y2label "wire, V" offset -1.5,0', "set autoscale y2",
        "set key tmargin right horizontal"])

    def curve(waves, title, colour, voltage, options=""):
        # This is one more than is shown, because the simulator's steps are long where little happens.
        count = bisect.bisect_right(waves.x, shown) + 1
        panel.curve(title, [time * scale for time in waves.x[:count]], voltage[:count], colour, options)

    waves = bench.surge(bench.circuit(), spread, surge, temperature)
    curve(waves, "wire", "wire", waves.voltage(bench.FIELD, bench.RETURN), "axes x1y2")
    curve(waves, "pin", "pin", waves.voltage(bench.PIN))
    if surge.brief:
        off = input_checks.surge_while_off(vehicle, surge, spread, temperature)
        curve(off, "pin, wire off", "off", off.voltage(bench.PIN))
    panel.level("", bench.LOW)
    panel.level("", bench.HIGH)
    return panel


def hold_up_failure(path):
    """Draws the rails of the worst board when the wire to the vehicle is cut, and the warning pin."""
    panels = []
    for power in hold_up.LOADS[1:]:
        waves = hold_up.failure(None, supply.worst_board(), power)
        panels += [rails(waves, f"Worst board, {power} W"), warning(waves)]
    # Each board has a column.
    panels = panels[::2] + panels[1::2]
    plot.draw(path, panels, 2, (1200, 800), "Hold-up supply when the vehicle's wire is cut (simulated)")


def front_end_surges(path):
    """Draws the voltages before and after the limiter during a load dump and the starting profile."""
    panels = []
    dump, end = front_end.dumped(front_end.VEHICLE.load_dump[0], 1)
    for title, points, resistance, last in (("Load dump A, 10 W", dump, 1, end), ("Starting profile, level III, 10 W", front_end.START, 0.05, 2)):
        waves = supply.run(supply.built(None), supply.worst_board(), supply.vehicle(points, resistance) + supply.loaded(10), last)
        for nodes, top in (((supply.BATTERY, front_end.PROTECTED), None), ((supply.MAIN, supply.SUPPLY, supply.BANK), 6)):
            panel = plot.Panel(title, [f"set xrange [0:{last}]", 'set xlabel "s" offset 0,0.5', f"set yrange [0:{top or '*'}]", "set ytics autofreq", 'set ylabel "V" offset 1,0', "set key tmargin right horizontal"])
            for node, colour in zip(nodes, ("main", "supply", "bank")):
                panel.curve(node.split("/")[-1], waves.x, waves.voltage(node), colour)
            panels.append(panel)
    plot.draw(path, panels, 2, (1200, 800), "Front end (simulated)")


def rails(waves, title):
    panel = plot.Panel(title, [*time_axis(waves), "set yrange [2:6]", "set ytics autofreq", 'set ylabel "V" offset 1,0', "set key tmargin right horizontal"])
    for node, name, colour in ((supply.MAIN, "MAIN", "main"), (supply.BANK, "BANK", "bank"),
                               (supply.BACKUP, "BACKUP", "backup"), (supply.SUPPLY, "+5V", "supply")):
        panel.curve(name, waves.x, waves.voltage(node), colour)
    panel.level(f"the board needs {hold_up.ENOUGH} V", hold_up.ENOUGH)
    mark(panel, waves)
    return panel


def warning(waves):
    panel = plot.Panel("Pin that warns", [*time_axis(waves), "set yrange [-0.2:4]", "set ytics autofreq", 'set ylabel "V" offset 1,0', "set key tmargin right horizontal"])
    panel.curve(supply.WARNING[1:], waves.x, waves.voltage(supply.WARNING), "bank")
    panel.level("", hold_up.LOW)
    mark(panel, waves)
    return panel


def time_axis(waves):
    return [f"set xrange [0:{hold_up.moments(waves)[1] + 0.3}]", 'set xlabel "s" offset 0,0.5']


def mark(panel, waves):
    warned, dead = hold_up.moments(waves)
    moments = {"warned": warned, "saved, card 100 × slower": warned + hold_up.needed(hold_up.CHECKPOINT * hold_up.SLOW_CARD),
               "saved, busiest card": warned + hold_up.needed(hold_up.BUSIEST_CARD), "too little": dead}
    for index, (name, time) in enumerate(moments.items()):
        panel.moment(name, time, 0.06 + 0.07 * index)
