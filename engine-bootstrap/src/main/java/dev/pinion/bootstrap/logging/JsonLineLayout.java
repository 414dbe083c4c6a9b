package dev.pinion.bootstrap.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.pinion.bootstrap.process.JsonText;

/**
 * An event as one line of JSON: {@code ts}, {@code level}, {@code logger}, {@code msg} and, where
 * there is one, {@code error} with the stack trace.
 */
final class JsonLineLayout extends LayoutBase<ILoggingEvent> {
  @Override
  public String doLayout(ILoggingEvent event) {
    StringBuilder line = new StringBuilder(256);
    line.append("{\"ts\":").append(JsonText.quoted(event.getInstant().toString()));
    line.append(",\"level\":").append(JsonText.quoted(event.getLevel().toString()));
    line.append(",\"logger\":").append(JsonText.quoted(event.getLoggerName()));
    line.append(",\"msg\":").append(JsonText.quoted(event.getFormattedMessage()));
    IThrowableProxy error = event.getThrowableProxy();
    if (error != null) {
      line.append(",\"error\":").append(JsonText.quoted(ThrowableProxyUtil.asString(error)));
    }
    return line.append("}\n").toString();
  }
}
