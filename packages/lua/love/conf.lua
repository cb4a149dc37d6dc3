function love.conf(t)
  t.modules.window, t.modules.graphics, t.modules.audio = false, false, false
end
