/** Handlers that authenticate, sign, encrypt and limit rates. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.security;
