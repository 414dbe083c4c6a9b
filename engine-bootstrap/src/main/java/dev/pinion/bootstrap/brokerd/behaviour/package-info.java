/** The behavioural model of deployed definitions. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.brokerd.behaviour;
