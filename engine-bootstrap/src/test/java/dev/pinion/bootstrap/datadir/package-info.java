/** Tests of {@code bootstrap.datadir}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.datadir;
