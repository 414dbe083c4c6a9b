/** The whole engine as its users meet it: real parents, real replicas, HTTP from outside. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.serve;
