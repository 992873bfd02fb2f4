// Nothing to call: what this target defines is for the linker alone.
