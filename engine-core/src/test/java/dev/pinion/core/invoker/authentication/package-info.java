/** Tests of programs that need secrets. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.invoker.authentication;
