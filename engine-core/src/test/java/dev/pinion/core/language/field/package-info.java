/** Tests of {@code core.language.field}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.field;
