/** Tests of {@code core.document}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.document;
