"""A program of benchmarks whose loops in C++ are asked for line by line."""

import subprocess


class Loops:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def take(self, *words):
        """Its answer to a line of these words, a number."""
        print(*words, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())
