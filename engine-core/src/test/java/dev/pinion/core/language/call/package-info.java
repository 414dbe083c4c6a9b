/** Tests of {@code core.language.call}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.call;
