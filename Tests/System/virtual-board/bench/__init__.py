"""The bench: starts the virtual board, pulls its wires, records its sound, reads its journal and cuts its power."""
