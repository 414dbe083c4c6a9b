package dev.pinion.core.spi;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A message of HTTP on its way past handlers. Immutable. Its size is bounded by what the engine
 * takes from clients ({@code request.maxHeaderBytes}, {@code request.maxBodyBytes}) and from
 * services ({@code invoker.maxHeaderBytes}, {@code invoker.maxResponseBytes}).
 *
 * @param id names the message; that of an answer is that of its request or call
 * @param point where it is
 * @param about what it is about
 * @param method request method in upper case; of an answer, that of its request
 * @param target where the request goes: path and query of a client's, the whole URI of a call
 * @param client address of the client; empty for calls and when it is not known
 * @param status status of an answer; 0 for requests
 * @param fields header fields by name in lower case, without {@code content-type} and those that
 *     frame the message; values of one name are joined by commas
 * @param content what it carries
 */
public record Passage(
    UUID id,
    Around.Point point,
    Subject about,
    String method,
    String target,
    String client,
    int status,
    SortedMap<String, String> fields,
    Content content) {
  /** Copies the fields. */
  public Passage {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /** The same message with other fields and content. */
  public Passage with(int newStatus, SortedMap<String, String> newFields, Content newContent) {
    return new Passage(id, point, about, method, target, client, newStatus, newFields, newContent);
  }

  /** The same message, of which is known who sends it. */
  public Passage by(String caller) {
    return new Passage(
        id, point, about.by(caller), method, target, client, status, fields, content);
  }

  /** The same message to another place. */
  public Passage to(String newTarget) {
    return new Passage(id, point, about, method, newTarget, client, status, fields, content);
  }
}
