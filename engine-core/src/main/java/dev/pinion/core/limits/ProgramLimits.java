package dev.pinion.core.limits;

/** Bounds of programs that tasks run on this machine, for each replica. */
public record ProgramLimits(
    @Limit(
            value = 8,
            min = 1,
            max = 1_024,
            says = "programs that run at one moment; further ones wait")
        int maxRunning,
    @Limit(value = 300, min = 1, max = 604_800, says = "time of a program; then it is killed")
        int timeoutSeconds,
    @Limit(
            value = 1 << 20,
            min = 1_024,
            max = 64 << 20,
            says =
                "bytes of its standard output, and of its standard error; with more it is killed")
        int maxOutputBytes,
    @Limit(
            value = 512,
            min = 0,
            max = 1 << 20,
            says =
                "mebibytes of each of its processes (RLIMIT_DATA), or of a container; 0 for no "
                    + "limit")
        int maxMemoryMebibytes,
    @Limit(
            value = 1_024,
            min = 0,
            max = 1 << 20,
            says =
                "mebibytes of each file that one of its processes, or a container, writes "
                    + "(RLIMIT_FSIZE); 0 for no limit")
        int maxFileMebibytes) {}
