/**
 * Compiles calls of services and runs of programs: arguments, authentication and secrets, and what
 * documents of OpenAPI and AsyncAPI, {@code .proto} files and agent cards say of them.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.call;
