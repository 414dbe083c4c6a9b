/** Tests of {@code bootstrap.brokerd.behaviour}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.brokerd.behaviour;
