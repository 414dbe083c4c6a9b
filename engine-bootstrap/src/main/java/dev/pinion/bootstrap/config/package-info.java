/** Settings of {@code serve}: their sources, names and meanings. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.config;
