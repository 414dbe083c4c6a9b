/**
 * Compiles calls of services and runs of programs: arguments, authentication and secrets, and what
 * documents of OpenAPI and AsyncAPI and {@code .proto} files say of them.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.call;
