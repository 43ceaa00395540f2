-- How long a project keeps the logs of its plugins is a setting of the project (decision 0088).
ALTER TABLE plugin_log_entries REMOVE TTL;
