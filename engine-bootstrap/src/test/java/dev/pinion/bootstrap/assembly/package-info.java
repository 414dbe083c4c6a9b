/** Tests of {@code bootstrap.assembly}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.assembly;
