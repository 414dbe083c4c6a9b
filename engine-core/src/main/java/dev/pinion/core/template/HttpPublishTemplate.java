package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import dev.pinion.core.model.call.MessageServer;

/**
 * Makes messages to send over HTTP: each is the body of a request. Immutable.
 *
 * @param endpoint makes the channel, whose address is a path below the server
 * @param content makes the content
 */
public record HttpPublishTemplate(MessageEndpointTemplate endpoint, MessageContentTemplate content)
    implements Expression<HttpCall> {
  @Override
  public HttpCall evaluate(Payload input, Scope scope, Budget budget) {
    return content.evaluate(endpoint, input, scope, budget).carrier();
  }

  /**
   * The URI of a channel over HTTP. Requests that carry messages over other protocols have it, too,
   * and are not sent there.
   */
  static String uri(MessageEndpoint channel) {
    MessageServer server = channel.server();
    StringBuilder uri = new StringBuilder(server.secure() ? "https://" : "http://").append(server);
    append(uri, server.path());
    append(uri, channel.address());
    return uri.toString();
  }

  private static void append(StringBuilder uri, String path) {
    int start = path.startsWith("/") ? 1 : 0;
    int end = path.endsWith("/") && path.length() > start ? path.length() - 1 : path.length();
    if (end > start) {
      uri.append('/').append(UriSyntax.encodeIllegal(path.substring(start, end)));
    }
  }
}
