package dev.pinion.handlers.servlet;

import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Initial parameters of a filter. There is no servlet context. */
record InitParameters(String name, SortedMap<String, String> parameters) implements FilterConfig {
  @Override
  public String getFilterName() {
    return name;
  }

  @Override
  public ServletContext getServletContext() {
    throw UnsupportedCalls.call("FilterConfig.getServletContext");
  }

  @Override
  public @Nullable String getInitParameter(String parameter) {
    return parameters.get(parameter);
  }

  @Override
  public Enumeration<String> getInitParameterNames() {
    return Collections.enumeration(parameters.keySet());
  }
}
