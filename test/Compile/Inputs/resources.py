"""Prints what ptxas says of every gpu.module of an L3 file: resources.py FILE.mlir CHIP..."""
import re
import subprocess
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    modules = re.findall(r"gpu\.module @(\w+)", file.read())
for chip in sys.argv[2:]:
    for module in modules:
        command = ["tgc-translate", "--tgc-to-resources", f"--tgc-chip={chip}", f"--tgc-module={module}", sys.argv[1]]
        subprocess.run(command, check=True)
