/** Reads documents of chains, and makes plans and handlers from them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.config;
