/** A journal read back into kernels: replay, follower, quarantine. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.recovery;
