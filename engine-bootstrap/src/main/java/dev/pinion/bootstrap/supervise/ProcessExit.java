package dev.pinion.bootstrap.supervise;

import org.jspecify.annotations.Nullable;

/**
 * End of a replica's process.
 *
 * @param text a sentence for people
 * @param death report of a death, or null when it was none
 */
record ProcessExit(String text, CrashReports.@Nullable CrashReport death) {}
