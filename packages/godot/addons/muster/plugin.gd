@tool
extends EditorPlugin
## Adds the autoloads Muster (a player) and MusterServer (a dedicated server), and the settings they read.

const AUTOLOADS := {"Muster": "muster_player.gd", "MusterServer": "muster_server.gd"}
const SETTINGS := {
	"muster/url": "http://127.0.0.1:8787",
	"muster/client_key": "client_dev_key",
	"muster/config": "arena",
}


func _enable_plugin() -> void:
	for autoload: String in AUTOLOADS:
		add_autoload_singleton(autoload, "res://addons/muster/" + AUTOLOADS[autoload])
	# A release export holds back what it prints until it quits, so a server that is stopped would leave no log.
	ProjectSettings.set_setting("application/run/flush_stdout_on_print", true)
	ProjectSettings.save()


func _disable_plugin() -> void:
	for autoload: String in AUTOLOADS:
		remove_autoload_singleton(autoload)


func _enter_tree() -> void:
	for setting: String in SETTINGS:
		if not ProjectSettings.has_setting(setting):
			ProjectSettings.set_setting(setting, SETTINGS[setting])
		ProjectSettings.set_initial_value(setting, SETTINGS[setting])
		ProjectSettings.set_as_basic(setting, true)
