package dev.pinion.core.interception;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An HTTP message on its way past handlers. Immutable. Its size is bounded by what the engine
 * accepts from clients ({@code request.maxHeaderBytes}, {@code request.maxBodyBytes}) and from
 * services ({@code invoker.maxHeaderBytes}, {@code invoker.maxResponseBytes}).
 *
 * @param id id of the message; a response has that of its request or call
 * @param point point in its path
 * @param context its context
 * @param method request method in upper case; of a response, that of its request
 * @param target target of the request: path and query of a client's, the whole URI of a call
 * @param client address of the client; empty for calls and when it is not known
 * @param status status of a response; 0 for requests
 * @param fields header fields by name in lower case, without {@code content-type} and those that
 *     frame the message; values of one name are joined by commas
 * @param content its content
 */
public record HttpMessage(
    UUID id,
    InterceptionPoint point,
    MessageContext context,
    String method,
    String target,
    String client,
    int status,
    SortedMap<String, String> fields,
    MessageBody content) {
  /** Copies the fields. */
  public HttpMessage {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /** A copy with another status, other fields and content. */
  public HttpMessage with(
      int newStatus, SortedMap<String, String> newFields, MessageBody newContent) {
    return new HttpMessage(
        id, point, context, method, target, client, newStatus, newFields, newContent);
  }

  /** A copy with a known caller. */
  public HttpMessage withCaller(String caller) {
    return new HttpMessage(
        id, point, context.withCaller(caller), method, target, client, status, fields, content);
  }

  /** A copy with another target. */
  public HttpMessage withTarget(String newTarget) {
    return new HttpMessage(id, point, context, method, newTarget, client, status, fields, content);
  }
}
