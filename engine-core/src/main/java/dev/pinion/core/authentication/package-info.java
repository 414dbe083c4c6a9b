/**
 * Authentication to services, without I/O: what is sent, what challenges and token responses mean,
 * and which tokens are kept.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.authentication;
