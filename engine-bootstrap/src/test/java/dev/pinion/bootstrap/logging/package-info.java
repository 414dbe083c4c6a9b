/** Tests of {@code bootstrap.logging}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.logging;
