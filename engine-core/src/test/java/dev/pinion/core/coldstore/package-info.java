/** Tests of {@code core.coldstore}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.coldstore;
