/** The listener for operators: health, replicas, machine, events, restarts. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.admin;
