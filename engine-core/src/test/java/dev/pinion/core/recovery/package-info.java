/** Tests of {@code core.recovery}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.recovery;
