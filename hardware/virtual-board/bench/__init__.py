"""The bench: starts the virtual board, pulls its wires, hears its sound, reads its journal and cuts its power."""
