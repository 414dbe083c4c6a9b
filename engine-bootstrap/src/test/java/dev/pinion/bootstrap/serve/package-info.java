/** The whole engine in the view of its users: real parents, real replicas, HTTP from outside. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.serve;
