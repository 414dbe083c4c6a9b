/** Tests of {@code core.language.reference}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.reference;
