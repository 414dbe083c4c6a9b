/** Tests of {@code core.language}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language;
