package dev.pinion.core.engine;

import java.net.URI;

/**
 * A service that tests call: one function from request to answer, behind a real server or a
 * scripted caller.
 */
@FunctionalInterface
interface TestService {
  /**
   * Answers a request. May be called by several threads at a time; may wait, but only in real
   * engines.
   */
  Answer answer(Request request) throws InterruptedException;

  /**
   * A request.
   *
   * @param method in upper case
   * @param uri as the engine sent it
   * @param body as text, empty when there was none
   * @param authorization the field Authorization, empty when there was none
   */
  record Request(String method, URI uri, String body, String authorization) {
    String path() {
      return uri.getPath();
    }
  }

  /**
   * An answer.
   *
   * @param status HTTP status
   * @param body JSON text
   */
  record Answer(int status, String body) {
    static Answer ok(String body) {
      return new Answer(200, body);
    }
  }
}
