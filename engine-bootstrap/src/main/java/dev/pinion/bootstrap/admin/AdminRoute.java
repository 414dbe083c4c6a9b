package dev.pinion.bootstrap.admin;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method at a path.
 *
 * @param method HTTP method
 * @param template path for people, such as {@code /replicas/{index}/restart}
 * @param path pattern of the whole path; each parameter is a number
 * @param action handler of its requests
 */
record AdminRoute(String method, String template, Pattern path, Action action) {
  /** Requests the response of GET without its body (RFC 9110 section 9.3.2). */
  static final String HEAD = "HEAD";

  /** Answers requests. */
  @FunctionalInterface
  interface Action {
    /**
     * Answers one request.
     *
     * @param path match of the path, with its numbers as groups
     * @param query the query of the address, decoded; empty when there is none
     * @throws IOException when the result is not available now
     */
    AdminResponse answer(Matcher path, String query) throws IOException;
  }

  static AdminRoute of(String method, String template, Action action) {
    return new AdminRoute(
        method, template, Pattern.compile(template.replaceAll("\\{\\w+}", "(\\\\d{1,6})")), action);
  }

  /** Methods that the route answers. */
  Set<String> methods() {
    return method.equals("GET") ? Set.of(method, HEAD) : Set.of(method);
  }

  /** Whether the route answers a method. */
  boolean answers(String asked) {
    return methods().contains(asked);
  }

  @Override
  public String toString() {
    return method + " " + template;
  }
}
