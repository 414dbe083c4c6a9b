package dev.pinion.core.http;

import dev.pinion.core.http.message.QueryParameters;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;

/** Exchanges whose connection has no channel, for tests of what keeps exchanges. */
public final class TestExchanges {
  private TestExchanges() {}

  /** An open exchange without a route. */
  public static HttpExchange open(HttpServer httpServer) {
    return new HttpExchange(
        new HttpConnection(httpServer, false),
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/"),
        null,
        List.of(),
        QueryParameters.NONE,
        "");
  }

  /** Ends an exchange, as its connection does. */
  public static void end(HttpExchange httpExchange) {
    httpExchange.end();
  }
}
