/** Tests of {@code core.template}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.template;
