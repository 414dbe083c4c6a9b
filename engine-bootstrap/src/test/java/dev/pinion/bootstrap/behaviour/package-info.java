/** Tests of {@link dev.pinion.bootstrap.behaviour}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.behaviour;
