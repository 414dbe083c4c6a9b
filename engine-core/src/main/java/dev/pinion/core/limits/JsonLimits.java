package dev.pinion.core.limits;

/** Bounds of parsed values from any source. */
public record JsonLimits(
    @Limit(value = 512, min = 8, max = 2_000, says = "nesting of objects and arrays") int maxDepth,
    @Limit(value = 1_000, min = 20, max = 100_000, says = "characters of one number")
        int maxNumberDigits,
    @Limit(value = 50, min = 0, max = 10_000, says = "aliases of one YAML document")
        int maxYamlAliases,
    @Limit(
            value = 128 << 20,
            min = 16 << 10,
            max = Integer.MAX_VALUE,
            says =
                "approximate heap bytes of one value, up to fifty times its text; beyond it a "
                    + "request is answered 413, a call or an expression fails")
        int maxHeapBytes) {}
