package dev.pinion.bootstrap.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.pinion.bootstrap.process.LogLine;

/** An event as a line of text, followed by its stack trace. */
final class TextLineLayout extends LayoutBase<ILoggingEvent> {
  @Override
  public String doLayout(ILoggingEvent event) {
    IThrowableProxy error = event.getThrowableProxy();
    return LogLine.text(
            event.getInstant(),
            event.getLevel().toString(),
            event.getLoggerName(),
            event.getFormattedMessage())
        + "\n"
        + (error == null ? "" : ThrowableProxyUtil.asString(error));
  }
}
